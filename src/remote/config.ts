/** The backend's address; an empty variable means this page's own origin (the embedded backend). */
export const BACKEND_URL = import.meta.env.VITE_SUPABASE_URL || globalThis.location.origin;
export const PUBLISHABLE_KEY = import.meta.env.VITE_SUPABASE_PUBLISHABLE_KEY;
