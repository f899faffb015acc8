/** The names of classes in the built page: short, because every visitor loads them. */
import { createHash } from 'node:crypto';
import { relative } from 'node:path';

/**
 * Returns a function for Vite's `css.modules.generateScopedName`: a class is called by its number in its
 * file and a hash of the file. It throws when two files have the same hash.
 */
export function classNames(root: string): (name: string, file: string) => string {
  const files = new Map<string, { readonly path: string; readonly names: string[] }>();
  return (name, file) => {
    const path = relative(root, file.replace(/\?.*/, ''));
    const hash = createHash('sha1').update(path).digest('base64url').slice(0, 3);
    const known = files.get(hash) ?? { path, names: [] };
    files.set(hash, known);
    if (known.path !== path) {
      throw new Error(`rename ${path}: its classes would be called as those of ${known.path}`);
    }
    if (!known.names.includes(name)) known.names.push(name);
    return `c${hash}${known.names.indexOf(name)}`;
  };
}
