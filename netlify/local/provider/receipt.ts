/** Money that a provider has taken for the shop: the truth against which orders are checked. */
export interface Receipt {
  /** Of the session or the order at the provider. */
  readonly sourceId: string;
  /** Of the payment or the capture. */
  readonly paymentId: string;
  /** What the shop called it, if it did. */
  readonly reference: string | null;
  /** In cents. */
  readonly amountMinor: number;
  readonly currency: 'USD';
}
