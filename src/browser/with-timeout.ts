/** Rejects with a `TimeoutError` after `ms`; the work itself goes on. */
export function withTimeout<T>(work: PromiseLike<T>, ms: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const rejectLate = () => reject(new DOMException(`no answer within ${ms} ms`, 'TimeoutError'));
    const timer = setTimeout(rejectLate, ms);
    work.then(resolve, reject).then(() => clearTimeout(timer));
  });
}
