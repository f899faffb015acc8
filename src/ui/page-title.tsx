import { useEffect } from 'react';
import { nameTab } from './use-head.ts';
import styles from './page-title.module.css';

interface PageTitleProps {
  readonly children: string;
  /** The tab's title, if it differs from the heading. */
  readonly tab?: string;
}

/** The screen's heading, and the title of the tab. */
export function PageTitle({ children, tab = children }: PageTitleProps) {
  const title = `${tab} · ${import.meta.env.VITE_STORE_NAME}`;
  useEffect(() => nameTab(title), [title]);
  return (
    <h1 className={styles['title']} tabIndex={-1} dir="auto">
      {children}
    </h1>
  );
}

/** Moves the focus to the heading. Call it when the focused element is removed from the page. */
export function focusHeading(): void {
  document.querySelector('h1')?.focus();
}

/** A ref for an element that the page removes once it has done its work: the focus in it goes to the heading. */
export function focusHeadingWhenRemoved(element: HTMLElement | null) {
  return () => {
    if (element?.contains(document.activeElement)) focusHeading();
  };
}
