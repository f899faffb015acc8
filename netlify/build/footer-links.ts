import { hrefOf } from '../../src/domain/shop-note.ts';
import type { ShopSettings } from '../lib/shop-settings.ts';

/** The links at the foot of every page; null for none, so that the bundler drops their code. */
export function footerLinks(settings: ShopSettings) {
  const { delivery, returns, privacy, terms, contact } = settings;
  const links = [
    { label: 'Delivery', href: hrefOf(delivery) },
    { label: 'Returns', href: hrefOf(returns) },
    { label: 'Privacy', href: privacy },
    { label: 'Terms', href: terms },
    { label: 'Contact', href: contact },
  ].flatMap(({ label, href }) => (href === null ? [] : [{ label, href }]));
  return links.length > 0 ? links : null;
}
