import { useLayoutEffect } from 'react';
import { BrowserRouter } from 'react-router-dom';
import { repeatTaps } from '../first-visit/repeat-taps.ts';
import { ErrorBoundary } from './error-boundary.tsx';
import { Frame } from './frame.tsx';
import { Screens } from './screens.tsx';

export function App() {
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
