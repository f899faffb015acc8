/**
 * Loads a module of @supabase/lite, and then restores `process.emitWarning`. Each module replaces it
 * with a version that throws when a warning is an Error, as Node's own often are.
 */
export async function loadLibrary<T>(load: () => Promise<T>): Promise<T> {
  const emitWarning = process.emitWarning.bind(process);
  try {
    return await load();
  } finally {
    process.emitWarning = emitWarning;
  }
}
