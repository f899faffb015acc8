import { useLocation } from 'react-router-dom';
import { share } from './share.ts';
import styles from './share-view.module.css';

/** Sends the address of what is shown to somebody. */
export function ShareView() {
  const { search } = useLocation();
  if (search === '') return null;
  return (
    <button type="button" className={styles['share']} onClick={() => void share()}>
      Share<span className="visually-hidden"> this view</span>
    </button>
  );
}
