/**
 * Stands where a screen, or the rest of one, is still to come. Meanwhile the footer is not drawn
 * (`shell/footer.module.css`): the screen would push it away under the shopper's thumb.
 */
export function Arriving() {
  return <div data-arriving hidden />;
}
