import { useLocation } from 'react-router-dom';
import { share } from './share.ts';
import styles from './share-view.module.css';

/** Lets the user share the address of the filtered catalogue. */
export function ShareView() {
  const { search } = useLocation();
  if (search === '') return null;
  return (
    <button type="button" className={styles['share']} onClick={() => void share()}>
      Share<span className="visually-hidden"> this view</span>
    </button>
  );
}
