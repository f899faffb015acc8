import { type SubmitEvent, useId, useRef, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { useCatalogue } from '../../catalogue/queries.ts';
import { formatPrice } from '../../domain/money.ts';
import { loadablePicture, nameOf, productOf } from '../../domain/product.ts';
import { productPath } from '../../domain/routes.ts';
import type { StaffProduct, ValueColumn } from '../../remote/products-by-hand.ts';
import label from '../../ui/label.module.css';
import { Link } from '../../ui/link.tsx';
import { dismissNotice } from '../../ui/notices.ts';
import { PageTitle } from '../../ui/page-title.tsx';
import { Picture } from '../../ui/picture.tsx';
import { textIn } from '../order-list.tsx';
import type { Reader } from '../queries.ts';
import { freshnessWords } from '../words.ts';
import { type Problem, pictureLoads, changeProducts, seenOf } from './mutations.ts';
import { hrefWith } from './product-list.tsx';
import { useProductsNow } from './queries.ts';
import {
  changesBetween,
  FIELDS,
  inSentence,
  sizeWords,
  textOf,
  textsOf,
  versionsOf,
} from './words.ts';

interface OneProductProps {
  readonly code: string;
  readonly reader: Reader;
  readonly onChanged: () => void;
}

/** `/admin/products?product=`: all sizes of a stock code, as the shop has them now. */
export function OneProduct({ code, reader, onChanged }: OneProductProps) {
  const [params] = useSearchParams();
  const polled = useProductsNow(reader, 'ofCode', code);
  const now = polled.value?.products ?? [];
  const [first] = now;
  /** The answer that was on screen at the last change. Until the next answer the page is locked. */
  const [answerAtChange, setAnswerAtChange] = useState<readonly StaffProduct[] | null>(null);

  const change: ProductProps['change'] = async (asked, doneWords) => {
    const outcome = await changeProducts(reader, asked, doneWords, onChanged);
    if (outcome.isDone) setAnswerAtChange(now);
    return outcome;
  };
  return (
    <>
      <p>
        <Link to={hrefWith(params, { product: null })}>All products</Link>
      </p>
      <PageTitle>{first ? nameOf({ ...productOf(first.row), size: '' }) : 'Product'}</PageTitle>
      <p role="status">{freshnessWords(polled)}</p>
      {polled.value && !first && <p>{`We couldn’t find stock code “${code}”.`}</p>}
      {first && (
        <Product
          now={now}
          isLocked={polled.failure !== null || answerAtChange === now}
          change={change}
        />
      )}
    </>
  );
}

interface ProductProps {
  /** The sizes as the shop has them now; at least one. */
  readonly now: readonly StaffProduct[];
  /** Whether nothing can be changed now, such as while the shop does not answer. */
  readonly isLocked: boolean;
  readonly change: (
    change: Parameters<typeof changeProducts>[1],
    doneWords: string,
  ) => ReturnType<typeof changeProducts>;
}

function Product({ now, isLocked, change }: ProductProps) {
  const code = now[0]?.row[1] ?? '';
  return (
    <div className="staff-order">
      <Values {...{ now, isLocked, change }} />
      <section aria-label="Sizes">
        <h2>Sizes</h2>
        <Sizes {...{ now, isLocked, change }} />
        <AddSize {...{ now, isLocked, change }} />
        {now.some(({ isOffSale }) => !isOffSale) && (
          <Link to={productPath(code)}>See it in the shop</Link>
        )}
        <p className="staff-note" dir="auto">{`Stock code ${code}`}</p>
      </section>
    </div>
  );
}

type Typed = Readonly<Partial<Record<ValueColumn, string>>>;

/**
 * The form of the values, for all sizes on sale or for one of them. While the person has typed nothing, a change by
 * somebody else appears in the fields at once. Otherwise the page says what has changed, and asks.
 */
function Values({ now, isLocked, change }: ProductProps) {
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  const catalogue = useCatalogue();
  /** What the person saw when they began to type. */
  const [base, setBase] = useState(now);
  const [typed, setTyped] = useState<Typed>({});
  /** The id of the product that is changed; null for all sizes on sale. */
  const [only, setOnly] = useState<number | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  /** The sizes when the person saved. Until the shop answers with other ones, the fields keep what was typed. */
  const [savedOver, setSavedOver] = useState<readonly StaffProduct[] | null>(null);
  /** An address that has not loaded, and that a second press stores. */
  const [broken, setBroken] = useState<string | null>(null);

  // Set while rendering, so that no frame shows old values. Nothing typed: `base` follows `now`. Something typed:
  // `base` stays, and `isStale` asks. Saved: the text stays until `now` is another answer.
  if (savedOver !== null && savedOver !== now) {
    setSavedOver(null);
    setTyped({});
  }
  const hasUnsaved = Object.keys(typed).length > 0 && savedOver === null;
  const isStale = versionsOf(base) !== versionsOf(now);
  if (isStale && !hasUnsaved) setBase(now);
  const onSale = base.filter(({ isOffSale }) => !isOffSale);
  const one = onSale.find(({ row }) => row[0] === only);
  const changed = one ? [one] : onSale;
  const scope = one ? inSentence(sizeWords(one)) : `all ${onSale.length} sizes`;
  const saveWords = onSale.length > 1 ? `Save for ${scope}` : 'Save';
  const isDisabled = isLocked || isBusy || isStale || !hasUnsaved;
  const pictures = textsOf(changed, 'Images link');
  const picture = typed['Images link'] ?? pictures[0] ?? '';

  function edit(column: ValueColumn, text: string): void {
    const { [column]: _, ...others } = typed;
    const texts = textsOf(changed, column);
    const isAsStored = texts.length === 1 ? texts[0] === text : text === '';
    setTyped(isAsStored ? others : { ...others, [column]: text });
    setProblem(null);
  }

  /** Whether the picture may be stored: it loads, or the person has read that it does not. */
  async function checkPicture(): Promise<boolean> {
    const address = (typed['Images link'] ?? '').trim();
    const hasWarned = address === broken;
    // The shop itself rejects a text that is no address, and says why.
    if (!/^(https:\/\/|\/)/.test(address) || (await pictureLoads(address))) {
      setBroken(null);
      return true;
    }
    setBroken(address);
    return hasWarned;
  }

  async function save(event: SubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    if (isDisabled) return;
    // The notice of the last change would look like the answer to this one.
    dismissNotice();
    setBusy(true);
    if (await checkPicture()) {
      const asked = { seen: seenOf(changed), values: typed, offSale: false };
      const outcome = await change(asked, `${saveWords.replace('Save', 'Saved')}.`);
      if (outcome.isDone) setSavedOver(now);
      else if (outcome.problem) {
        setProblem(outcome.problem);
        const field = form.current?.elements.namedItem(outcome.problem.column);
        if (field instanceof HTMLElement) field.focus();
      }
    }
    setBusy(false);
  }

  if (onSale.length === 0) {
    return <p>This product is hidden. Put a size back in the shop first.</p>;
  }
  return (
    <form ref={form} className={`field ${label['label']}`} onSubmit={(event) => void save(event)}>
      {onSale.length > 1 && (
        <fieldset className="staff-row">
          <legend>Change</legend>
          {[null, ...onSale].map((product) => (
            <label key={product?.row[0] ?? 'all'}>
              <input
                type="radio"
                name="only"
                checked={(one ?? null) === product}
                onChange={() => setOnly(product?.row[0] ?? null)}
              />
              <bdi>{product ? sizeWords(product) : 'All sizes'}</bdi>
            </label>
          ))}
        </fieldset>
      )}
      {onSale.length < base.length && <p className="staff-note">Hidden sizes keep their values.</p>}
      {FIELDS.map((field) => {
        const texts = textsOf(changed, field.column);
        const isWrong = problem?.column === field.column;
        const isPicture = field.column === 'Images link';
        return (
          <div key={field.column} className="field">
            <label htmlFor={id + field.column}>{field.label}</label>
            <input
              id={id + field.column}
              name={field.column}
              value={typed[field.column] ?? (texts.length === 1 ? texts[0] : '')}
              placeholder={texts.length > 1 ? `Varies by size: ${texts.join(', ')}` : ''}
              inputMode={field.column === 'Retail Price' ? 'decimal' : undefined}
              list={field.column.startsWith('Category') ? `${id}categories` : undefined}
              autoComplete="off"
              readOnly={isBusy || isLocked}
              aria-invalid={isWrong}
              aria-describedby={isWrong ? `${id}problem` : undefined}
              onChange={({ currentTarget }) => edit(field.column, currentTarget.value)}
              onBlur={isPicture ? () => void checkPicture() : undefined}
            />
            {isWrong && (
              <p id={`${id}problem`} role="alert">
                {problem.sentence}
              </p>
            )}
          </div>
        );
      })}
      <datalist id={`${id}categories`}>
        {catalogue?.index.categories().map((category) => (
          <option key={category}>{category}</option>
        ))}
      </datalist>
      <div className="staff-picture">
        <Picture link={loadablePicture(picture.trim())} alt="The picture" sizes="7rem" isEager />
      </div>
      <div role="alert">
        {typed['Retail Price']?.trim() === '' && <p>This can’t be ordered without a price.</p>}
        {broken !== null && broken === (typed['Images link'] ?? '').trim() && (
          <p>We couldn’t load this picture. Check the link, or save it anyway.</p>
        )}
        {isStale && (
          <>
            <p>This product has changed since you started editing:</p>
            <ul>
              {changesBetween(base, now).map((words) => (
                <li key={words} dir="auto">
                  {words}
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
      {isStale && (
        <div className="choice">
          <button type="button" className="quiet" onClick={() => setBase(now)}>
            Keep what I typed
          </button>
          <button type="button" className="quiet" onClick={() => setTyped({})}>
            Discard what I typed
          </button>
        </div>
      )}
      <button type="submit" className="button" aria-disabled={isDisabled}>
        {saveWords}
      </button>
    </form>
  );
}

/** The sizes, each with the button that takes it off sale or puts it back. */
function Sizes({ now, isLocked, change }: ProductProps) {
  const [isBusy, setBusy] = useState(false);
  const isDisabled = isLocked || isBusy;
  const groups = [true, false]
    .map((isOffSale) => now.filter((product) => product.isOffSale === isOffSale))
    .filter(({ length }) => length > 1);

  async function toggle(products: readonly StaffProduct[], words: string): Promise<void> {
    if (isDisabled) return;
    setBusy(true);
    const offSale = products[0]?.isOffSale === false;
    const doneWords = `${words}: ${offSale ? 'hidden' : 'back in the shop'}.`;
    await change({ seen: seenOf(products), values: {}, offSale }, doneWords);
    setBusy(false);
  }
  /** A short button stands beside the size, so it names the size for screen readers only. */
  const button = (
    products: readonly StaffProduct[],
    words: string,
    { isShort }: { readonly isShort: boolean },
  ) => {
    const [verb, rest] = products[0]?.isOffSale ? ['Put', 'back in the shop'] : ['Hide', ''];
    return (
      <button
        type="button"
        className="quiet"
        aria-disabled={isDisabled}
        onClick={() => void toggle(products, words)}
      >
        <span>{`${verb} `}</span>
        <span className={isShort ? 'visually-hidden' : undefined}>{`${inSentence(words)} `}</span>
        <span>{rest}</span>
      </button>
    );
  };
  return (
    <>
      <ul className="staff-lines staff-sizes">
        {now.map((product) => (
          <li key={product.row[0]}>
            <strong dir="auto">{sizeWords(product)}</strong>
            <span>{formatPrice(productOf(product.row).price)}</span>
            <span className="staff-note">{product.isOffSale ? 'Hidden' : 'In the shop'}</span>
            {button([product], sizeWords(product), { isShort: true })}
          </li>
        ))}
      </ul>
      <div className="choice">
        {groups.map((products) => (
          <span key={String(products[0]?.isOffSale)}>
            {button(products, `All ${products.length} sizes`, { isShort: false })}
          </span>
        ))}
      </div>
    </>
  );
}

/** Adds a size with the values of another one. */
function AddSize({ now, isLocked, change }: ProductProps) {
  const id = useId();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const original = now.find(({ isOffSale }) => !isOffSale) ?? now[0];
  const copied = original?.row[2] ? inSentence(sizeWords(original)) : 'this product';
  const isDisabled = isLocked || isBusy || !original;

  async function add(event: SubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const form = event.currentTarget;
    const size = textIn(form, 'size');
    if (isDisabled || size === '') return;
    const same = now.find(({ row }) => row[2].toLowerCase() === size.toLowerCase());
    if (same) {
      const state = same.isOffSale ? ' It’s hidden. Put it back instead.' : '';
      setProblem({
        column: 'Size',
        sentence: `You already have ${inSentence(sizeWords(same))}.${state}`,
      });
      return;
    }
    setBusy(true);
    const values = Object.fromEntries(
      FIELDS.map(({ column }) => [column, textOf(original.row, column)] as const),
    );
    const asked = {
      seen: [[original.row[1], size, null]] as const, // null: there is no such size yet
      values,
      offSale: false,
    };
    const outcome = await change(asked, `Size ${size} was added.`);
    setProblem(outcome.isDone ? null : outcome.problem);
    if (outcome.isDone) form.reset();
    setBusy(false);
  }

  return (
    <form className="field" onSubmit={(event) => void add(event)}>
      <label htmlFor={id}>{`Add a size (copied from ${copied})`}</label>
      <div className="staff-row">
        <input
          id={id}
          name="size"
          autoComplete="off"
          aria-invalid={problem !== null}
          aria-describedby={`${id}problem`}
        />
        <button type="submit" className="quiet" aria-disabled={isDisabled}>
          Add
        </button>
      </div>
      <p id={`${id}problem`} role="alert">
        {problem?.sentence}
      </p>
    </form>
  );
}
