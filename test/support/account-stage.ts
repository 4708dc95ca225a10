import { type RunningApi, type RunOptions } from './api.ts';
import { published } from './events.ts';
import { runPages } from './pages.ts';
import { type Fields, formsOf, visitor, type Visitor } from './visitor.ts';
import { forAllTests } from './for-each-test.ts';

export const DAY = 86_400_000;

/** The account pages with the rest of the API. */
export interface AccountStage extends AsyncDisposable {
  readonly api: RunningApi;
  /** Somebody who is signed in to an account, of their own if none is named. */
  holder(options?: { readonly locale?: string; readonly account?: string }): Promise<Holder>;
}

export interface Holder extends Visitor {
  readonly account: string;
}

/** A stage for the tests of one `describe`, opened before them and closed after them. */
export function accountStage(
  options: () => RunOptions | Promise<RunOptions> = () => ({}),
): Pick<AccountStage, 'api' | 'holder'> {
  const stage = forAllTests(async () => openAccountStage(await options()));
  return {
    get api() {
      return stage.api;
    },
    holder: (asked) => stage.holder(asked),
  };
}

async function openAccountStage(options: RunOptions): Promise<AccountStage> {
  await using opening = new AsyncDisposableStack();
  const api = opening.use(await runPages(options, published()));
  const opened = opening.move();
  let accounts = 0;
  return {
    api,
    async holder({ locale = 'en', account = `holder-${(accounts += 1)}` } = {}) {
      const one = visitor(api.url);
      // So that attempts to sign in are those of single people.
      api.clock.movedMs += 60_000;
      const { token } = await api.accounts.invite(account, DAY);
      await one.get(`/${locale}/account/sign-in?link=${token}`);
      const page = await one.send('/account/sign-in');
      if (page.status !== 200) throw new Error(`Not signed in: ${page.status}`);
      return { ...one, account };
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

/** What stands in a form of the account's page, by the end of its address. */
export async function fieldsOf(one: Visitor, action: string): Promise<Fields> {
  const { text } = await one.get('/en/account');
  return formsOf(text).find((form) => form.action.endsWith(action))?.fields ?? {};
}
