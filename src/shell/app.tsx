import { BrowserRouter } from 'react-router-dom';
import styles from './app.module.css';
import { ErrorBoundary } from './error-boundary.tsx';
import { Footer } from './footer.tsx';
import { Header } from './header.tsx';
import { Notices } from './notices.tsx';
import { Screens } from './screens.tsx';
import { StorageLine } from './storage-line.tsx';

export function App() {
  return (
    <ErrorBoundary>
      <BrowserRouter>
        <a className={styles['skip']} href="#main">
          Skip to content
        </a>
        <Header />
        <StorageLine />
        <main id="main" className={styles['main']} tabIndex={-1}>
          <Screens />
        </main>
        <Footer />
        <Notices />
      </BrowserRouter>
    </ErrorBoundary>
  );
}
