/**
 * Loads a module of @supabase/lite. Each of them replaces `process.emitWarning` with a version that
 * throws when a warning is an Error, as Node's own often are; the original is put back.
 */
export async function loadLibrary<T>(load: () => Promise<T>): Promise<T> {
  const emitWarning = process.emitWarning.bind(process);
  try {
    return await load();
  } finally {
    process.emitWarning = emitWarning;
  }
}
