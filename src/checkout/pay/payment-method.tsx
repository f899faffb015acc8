import styles from './payment-method.module.css';

export type PaymentMethod = 'card' | 'paypal';

interface PaymentMethodToggleProps {
  readonly method: PaymentMethod;
  readonly onChoose: (method: PaymentMethod) => void;
}

export function PaymentMethodToggle({ method, onChoose }: PaymentMethodToggleProps) {
  return (
    <fieldset className={styles['methods']}>
      <legend className="visually-hidden">Payment method</legend>
      {METHODS.map(({ value, label }) => (
        <label key={value} className={`thread ${styles['method']}`}>
          <input
            type="radio"
            name="method"
            value={value}
            checked={method === value}
            onChange={() => onChoose(value)}
          />
          <span>{label}</span>
        </label>
      ))}
    </fieldset>
  );
}

const METHODS = [
  { value: 'card', label: 'Pay with Card (Stripe)' },
  { value: 'paypal', label: 'Pay with PayPal' },
] as const;
