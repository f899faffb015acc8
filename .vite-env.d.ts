type ShopNote = import('./src/domain/shop-note.ts').ShopNote;

interface ImportMetaEnv {
  /** Origin of the Supabase project; empty means "this page's own origin" (the embedded backend). */
  readonly VITE_SUPABASE_URL: string;
  readonly VITE_SUPABASE_PUBLISHABLE_KEY: string;
  /** The site's main address without a slash at its end; empty where it is not known. */
  readonly VITE_SITE_URL: string;
  /** Regular expressions of addresses whose pictures the host resizes. */
  readonly VITE_RESIZED_PICTURES: readonly string[];
  /** The wordmark. */
  readonly VITE_STORE_NAME: string;
  /** Those of the variables `SHOP_*` that are addresses; null for none. */
  readonly VITE_FOOTER_LINKS: readonly { readonly label: string; readonly href: string }[] | null;
  /** The variables `SHOP_*` as netlify/lib/shop-settings.ts reads them; null where one is not set. */
  readonly VITE_SHOP_CONTACT: string | null;
  readonly VITE_SHOP_DELIVERY: ShopNote | null;
  readonly VITE_SHOP_RETURNS: ShopNote | null;
  readonly VITE_SHOP_CARE: ShopNote | null;
  readonly VITE_SHOP_SIZE_GUIDE: ShopNote | null;
  /** Whether the build was given keys that move real money. */
  readonly VITE_HAS_LIVE_KEYS: boolean;
  /** Follows PAYPAL_ENVIRONMENT; empty where the functions cannot take PayPal. */
  readonly VITE_PAYPAL_ENVIRONMENT: 'production' | 'sandbox' | '';
  /** Absent or empty where the shop does not take cards. */
  readonly VITE_STRIPE_PUBLISHABLE_KEY?: string;
  /** Absent or empty where the shop does not take PayPal. */
  readonly VITE_PAYPAL_CLIENT_ID?: string;
  /** Follows STAFF_ROLE, to show links by; empty where nobody may see orders. */
  readonly VITE_STAFF_ROLE: string;
  /** Of the CAPTCHA of the forms about signing in; empty in a shop without one. */
  readonly VITE_TURNSTILE_SITE_KEY?: string;
}
