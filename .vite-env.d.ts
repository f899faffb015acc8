interface ImportMetaEnv {
  /** Origin of the Supabase project; empty means "this page's own origin" (the embedded backend). */
  readonly VITE_SUPABASE_URL: string;
  readonly VITE_SUPABASE_PUBLISHABLE_KEY: string;
  /** The wordmark. */
  readonly VITE_STORE_NAME: string;
}
