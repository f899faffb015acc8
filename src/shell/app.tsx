import { useInsertionEffect, useLayoutEffect } from 'react';
import { BrowserRouter } from 'react-router-dom';
import { repeatTaps } from '../first-visit/repeat-taps.ts';
import { ErrorBoundary } from './error-boundary.tsx';
import { Frame } from './frame.tsx';
import { Screens } from './screens.tsx';

interface AppProps {
  /** Called once, when the first screen is drawn: it puts this screen into the document. */
  readonly onDrawn: () => void;
}

export function App({ onDrawn }: AppProps) {
  // An insertion effect, because the layout effects of the screen measure it, and it must be in the document by then.
  useInsertionEffect(onDrawn, [onDrawn]);
  // A layout effect, because it runs in the same task as the render. An ordinary effect runs later, and a tap in
  // between would count twice: `noteTaps` would store the tap, and React would handle it.
  useLayoutEffect(repeatTaps, []);
  return (
    <ErrorBoundary>
      <BrowserRouter>
        <Frame>
          <Screens />
        </Frame>
      </BrowserRouter>
    </ErrorBoundary>
  );
}
