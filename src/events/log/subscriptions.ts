interface Subscription extends AsyncDisposable {
  start(): Promise<void>;
}

/** The subscriptions of a log that have not been left. */
export class Subscriptions implements AsyncDisposable {
  readonly #open = new Set<Subscription>();

  /** Starts it, or leaves it where that fails. */
  async start(subscription: Subscription): Promise<AsyncDisposable> {
    const leave = async (): Promise<void> => {
      this.#open.delete(subscription);
      await subscription[Symbol.asyncDispose]();
    };
    this.#open.add(subscription);
    try {
      await subscription.start();
    } catch (thrown) {
      await leave();
      throw thrown;
    }
    return { [Symbol.asyncDispose]: leave };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#open].map((subscription) => subscription[Symbol.asyncDispose]()));
  }
}
