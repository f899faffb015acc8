/** The colours of the page's ground, from src/ui/tokens.css, for what takes no stylesheet: the manifest and bars of browsers. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** @throws Error where the stylesheet does not give `--cotton` as two colours of six digits */
export function pageColours(root: string): { readonly light: string; readonly dark: string } {
  const tokens = readFileSync(join(root, 'src/ui/tokens.css'), 'utf8');
  const [, light, dark] =
    /--cotton: light-dark\((#[\da-f]{6}), (#[\da-f]{6})\)/i.exec(tokens) ?? [];
  if (!light || !dark) {
    throw new Error('src/ui/tokens.css must give --cotton as light-dark(#rrggbb, #rrggbb)');
  }
  return { light, dark };
}
