/**
 * Marks a screen, or a part of a screen, that is not loaded yet. Meanwhile the footer is hidden
 * (`shell/footer.module.css`), because the loaded screen would push it away under the user's thumb.
 */
export function Arriving() {
  return <div data-arriving hidden />;
}
