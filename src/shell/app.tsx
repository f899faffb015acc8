import { useLayoutEffect } from 'react';
import { BrowserRouter } from 'react-router-dom';
import { ErrorBoundary } from './error-boundary.tsx';
import { Frame } from './frame.tsx';
import { repeatTaps } from '../first-visit/repeat-taps.ts';
import { Screens } from './screens.tsx';

export function App() {
  // A layout effect runs in the same task as the render. Otherwise a tap in between would be stored by
  // `noteTaps`, handled by React, and so counted twice.
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
