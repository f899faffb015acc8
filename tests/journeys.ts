import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A line of `journeys.md`. */
export interface Journey {
  /** The title of its test, after those of the `describe` around it. */
  readonly titles: readonly string[];
  /** The test's path below `tests/`, without `.test.ts`. */
  readonly file: string;
  /** Whether `npm test` runs it in a browser. */
  readonly isInTest: boolean;
}

/** @throws when a line of the list cannot be read */
export function readJourneys(): readonly Journey[] {
  const text = readFileSync(join(import.meta.dirname, 'journeys.md'), 'utf8');
  const lines = text.split('\n').filter((line) => line.startsWith('- '));
  return lines.map((line) => {
    const [, bold = '', titles, file] = /^- (\*\*)?(.*?)(?:\*\*)? \(`([^`]+)`\)$/.exec(line) ?? [];
    if (titles === undefined || file === undefined) throw new Error(`not a journey: ${line}`);
    return { titles: titles.split(' > '), file, isInTest: bold !== '' };
  });
}

/** Matches Vitest's names of the tests that `npm test` runs in a browser. A title's `%s` or `$name` matches any value. */
export function journeyPattern(): RegExp {
  const names = readJourneys()
    .filter(({ isInTest }) => isInTest)
    .map(({ titles }) =>
      titles
        .join(' > ')
        .split(/%\w|\$\w+/)
        .map(escape)
        .join('.+'),
    );
  return new RegExp(`^(?:${names.join('|')})$`);
}

const escape = (text: string) => text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);
