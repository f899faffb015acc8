import type { Encoding, EncodingGuess } from './protocol.ts';
import styles from './encoding-guess.module.css';
import type { ImportSession } from './session.ts';
import { TransientButton } from './start-focus.tsx';
import { ENCODING_NAMES } from './words.ts';

interface GuessedEncodingProps {
  readonly session: ImportSession;
  readonly encoding: Encoding;
  readonly guess: EncodingGuess;
}

/** Says that the encoding is a guess, with words to judge it by, and offers what else it could be. */
export function GuessedEncoding({ session, encoding, guess }: GuessedEncodingProps) {
  const { isDoubtful, words, others } = guess;
  return (
    <section className={styles['guess']} aria-label="How the letters are read">
      <p>
        <span>
          {`The file does not name its encoding. It is read as ${ENCODING_NAMES[encoding]}, a guess.`}
        </span>
        {isDoubtful && <span> The letters look wrong: choose another encoding.</span>}
      </p>
      <ul className={styles['words']}>
        {words.map(({ before, after }) => (
          <li key={before + after}>
            <s>{before}</s> <span className="visually-hidden">is read as</span> <b>{after}</b>
          </li>
        ))}
      </ul>
      {others.map((other) => (
        <TransientButton
          key={other.encoding}
          onClick={() => session.readAs({ encoding: other.encoding })}
        >
          {`${ENCODING_NAMES[other.encoding]}: ${other.words.slice(0, SHOWN_WORDS).join(', ')}`}
        </TransientButton>
      ))}
    </section>
  );
}

const SHOWN_WORDS = 3;
