import { useEffect, useId } from 'react';
import { useSearchParams } from 'react-router-dom';
import { SHARE_PARAMETER, type ShareOutcome } from '../domain/share-target.ts';
import { notify } from '../ui/notices.ts';
import { useStore } from '../ui/use-store.ts';
import { printDetails } from './console.ts';
import controls from './controls.module.css';
import { dropReceived, lookForReceived, receivedStore, takeReceived } from './received.ts';
import { TransientButton } from './start-focus.tsx';
import styles from './unfinished-import.module.css';
import { sizeOf } from './words.ts';

const FIRST_OF_SEVERAL = 'Several files were sent. This is the first; the others are not here.';
/** Follows the sentence about a file that was not kept, where the page still offers another file. */
const OTHER_FILE = 'The file named here is another one.';

/** The outcomes by which no file was kept, and what the page says of each. */
const NOT_KEPT: Readonly<Partial<Record<ShareOutcome, string>>> = {
  large: 'The file that was sent here is larger than 300 MB. Choose it below instead.',
  unkept: 'This device could not keep the file that was sent here. Choose it below instead.',
  missed: 'What was sent here has not arrived. Send the file again, or choose it below.',
};

/** Offers a file that came from outside of the page, by its name. */
export function ReceivedFile({ onChoose }: { readonly onChoose: (file: File) => void }) {
  const id = useId();
  const received = useStore(receivedStore);
  const [params, setParams] = useSearchParams();
  useEffect(() => void lookForReceived(), []);
  const outcome = params.get(SHARE_PARAMETER) ?? '';
  // An address may hold any text.
  const notKept = Object.hasOwn(NOT_KEPT, outcome) ? NOT_KEPT[outcome as ShareOutcome] : undefined;
  const aboutOffer = received?.isFirstOfSeveral ? FIRST_OF_SEVERAL : undefined;
  const sentence = notKept && received ? `${notKept} ${OTHER_FILE}` : (notKept ?? aboutOffer);
  if (!received && sentence === undefined) return null;

  function forgetOutcome(): void {
    if (params.has(SHARE_PARAMETER)) setParams({}, { replace: true });
  }

  async function take(): Promise<void> {
    forgetOutcome();
    try {
      if (received) onChoose(await takeReceived(received));
    } catch (thrown) {
      printDetails('The file cannot be read:', thrown);
      notify('alert', 'The file is not here any more. Send it again, or choose it on this page.');
    }
  }

  return (
    <section className={styles['offer']} aria-labelledby={received ? id : undefined}>
      {received && <h2 id={id}>A file was sent here</h2>}
      {sentence !== undefined && <p role="status">{sentence}</p>}
      {received && (
        <>
          <p>
            <bdi className={controls['name']}>{received.file.name}</bdi>
            <span>{`, ${sizeOf(received.file.size)}. `}</span>
            <span>
              Nothing of it has been read yet. Other apps and sites can send files here: check it
              only if you know it.
            </span>
          </p>
          <div className="choice">
            <TransientButton className="button" onClick={() => void take()}>
              Check this file
            </TransientButton>
            <TransientButton
              onClick={() => {
                forgetOutcome();
                void dropReceived(received);
              }}
            >
              Not this file
            </TransientButton>
          </div>
        </>
      )}
    </section>
  );
}
