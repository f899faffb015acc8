/** Where the backend is; an empty URL means this page's own origin (the embedded backend). */
export const BACKEND_URL = import.meta.env.VITE_SUPABASE_URL || globalThis.location.origin;
export const PUBLISHABLE_KEY = import.meta.env.VITE_SUPABASE_PUBLISHABLE_KEY;
