interface FooterLinksProps {
  readonly links: readonly { readonly label: string; readonly href: string }[];
}

/** Pages of the shop that are not part of this app, such as its terms. */
export function FooterLinks({ links }: FooterLinksProps) {
  return (
    <nav aria-label="About the shop">
      {links.map(({ label, href }) => (
        <a key={label} href={href}>
          {label}
        </a>
      ))}
    </nav>
  );
}
