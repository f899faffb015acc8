import { notify } from '../ui/notices.ts';

/** Opens the platform's share dialog, or copies the address where there is none or it fails. */
export async function share(): Promise<void> {
  const { href: url } = location;
  const { title } = document;
  if ('share' in navigator) {
    try {
      await navigator.share({ title, url });
      return;
    } catch (error) {
      // The user closed the dialog without sharing, or it is still open from the tap before.
      if (error instanceof DOMException && /^(Abort|InvalidState)Error$/.test(error.name)) return;
    }
  }
  try {
    await navigator.clipboard.writeText(url);
    notify('status', 'Link copied.');
  } catch {
    notify('alert', 'Your browser didn’t let us copy the link.');
  }
}
