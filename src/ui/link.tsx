import type { AnchorHTMLAttributes } from 'react';
import { useHref, useLinkClickHandler, useLocation } from 'react-router-dom';

interface LinkProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  /** A path of the shop, with its query. */
  readonly to: string;
  /** Whether the address replaces the present one in the history. By default only where both are equal. */
  readonly replace?: boolean;
  /** Called when the link leads on in this tab, not when the browser opens another one. */
  readonly onFollow?: () => void;
}

/**
 * A link to another page of the shop, made with the hooks of react-router. Its component `Link` would add code that
 * loads data ahead, 2 kB on the first screen.
 */
export function Link({ to, replace, onClick, onFollow, children, ...attributes }: LinkProps) {
  const href = useHref(to);
  const follow = useLinkClickHandler(to, replace === undefined ? {} : { replace });
  return (
    <a
      {...attributes}
      href={href}
      onClick={(event) => {
        onClick?.(event);
        if (event.defaultPrevented) return;
        follow(event); // prevents the default where the link leads on in this tab
        if (event.defaultPrevented) onFollow?.();
      }}
    >
      {children}
    </a>
  );
}

/** A link that says when it leads to the page on screen. */
export function NavLink(props: LinkProps) {
  const { pathname } = useLocation();
  return (
    <Link {...props} aria-current={props.to.split('?')[0] === pathname ? 'page' : undefined} />
  );
}
