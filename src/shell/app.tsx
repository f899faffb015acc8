import { useLayoutEffect } from 'react';
import { BrowserRouter } from 'react-router-dom';
import { ErrorBoundary } from './error-boundary.tsx';
import { Frame } from './frame.tsx';
import { repeatTaps } from '../first-visit/repeat-taps.ts';
import { Screens } from './screens.tsx';

export function App() {
  // In the same step as the render: a tap in between would count twice, once stored, once handled.
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
