import styles from './page.module.css';

const NOTES = [
  { name: 'Delivery', note: import.meta.env.VITE_SHOP_DELIVERY },
  { name: 'Returns', note: import.meta.env.VITE_SHOP_RETURNS },
  { name: 'Care', note: import.meta.env.VITE_SHOP_CARE },
].flatMap(({ name, note }) => (note ? [{ name, note }] : []));

/** What the shop says about delivery, returns and care of all its products; nothing where it says nothing. */
export function ShopNotes() {
  if (NOTES.length === 0) return null;
  return (
    <section className={styles['notes']} aria-label="Delivery, returns and care">
      {NOTES.map(({ name, note }) =>
        'href' in note ? (
          <p key={name}>
            <a href={note.href}>{name}</a>
          </p>
        ) : (
          <p key={name}>
            <strong>{name}</strong> <span>{note.text}</span>
          </p>
        ),
      )}
    </section>
  );
}
