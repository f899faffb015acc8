/** The names of classes in the built page: short, because every visitor loads them. */
import { createHash } from 'node:crypto';
import { relative } from 'node:path';

/**
 * Returns a function for Vite's `css.modules.generateScopedName`. A short name is a hash of the file's path
 * and the index of the class in that file. The function throws when two paths have the same hash.
 */
export function classNames(root: string): (name: string, file: string) => string {
  const filesByHash = new Map<string, { readonly path: string; readonly names: string[] }>();
  return (name, file) => {
    const path = relative(root, file.replace(/\?.*/, ''));
    const hash = createHash('sha1').update(path).digest('base64url').slice(0, 3);
    const entry = filesByHash.get(hash) ?? { path, names: [] };
    filesByHash.set(hash, entry);
    if (entry.path !== path) {
      throw new Error(`rename ${path}: its classes would be called as those of ${entry.path}`);
    }
    if (!entry.names.includes(name)) entry.names.push(name);
    return `c${hash}${entry.names.indexOf(name)}`;
  };
}
