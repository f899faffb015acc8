import { useLayoutEffect } from 'react';
import { BrowserRouter } from 'react-router-dom';
import { ErrorBoundary } from './error-boundary.tsx';
import { Frame } from './frame.tsx';
import { repeatTaps } from '../first-visit/repeat-taps.ts';
import { Screens } from './screens.tsx';

export function App() {
  // With the drawing itself: nothing may be tapped in between, and noted as well as done.
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
