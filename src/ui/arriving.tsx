/**
 * Holds the place of a screen, or of a part of one, that has not arrived. Meanwhile the footer is hidden
 * (`shell/footer.module.css`), because the screen would push it away under the user's thumb.
 */
export function Arriving() {
  return <div data-arriving hidden />;
}
