import type { Deadline } from '../../../stores/time-limit.ts';
import { after, type Soon } from '../../../platform/soon.ts';
import { type Problem, PROBLEMS } from '../../problems.ts';
import type { Redirect, Route } from '../../route.ts';
import type { AskRoute } from '../ask-route.ts';
import { type Form, passingForm } from '../forms.ts';
import type { Question, Questions } from '../questions.ts';
import type { Rendering } from '../rendering.ts';
import { encodingFor } from '../send.ts';
import type { Asker } from './asker.ts';
import { type Asked, createFindPlain, type FindPlain } from './plain-targets.ts';

/** Asks routes at the socket for what was not answered a moment ago. */
export interface Direct {
  /** The question of a target that leaves no doubt about its route; null where Express is to say. */
  readonly find: FindPlain;
  /** Whether the route of a question may be asked before Node has read the request. */
  mayAsk(question: Question, asker: Asker): boolean;
  /** Throws, or rejects with, what the route throws. */
  ask(asked: Asked, by: AskedAt): Soon<Made>;
}

export interface AskedAt {
  readonly asker: Asker;
  readonly keyId: string;
  readonly deadline: Deadline;
}

/** What the route has made of it. */
export interface Made {
  readonly status: number;
  /** null for all that is no body. */
  readonly ready: Ready | null;
}

/** An answer that is there in the form that was asked for. */
export interface Ready {
  readonly rendering: Rendering;
  readonly form: Form;
  /** Whether it costs nothing. */
  readonly isFree: boolean;
}

export interface DirectOptions {
  readonly routes: readonly Route[];
  readonly questions: Pick<Questions, 'read'>;
  readonly askRoute: AskRoute;
}

export function createDirect({ routes, questions, askRoute }: DirectOptions): Direct {
  return {
    find: createFindPlain(routes, questions),

    // Whether an answer with a tag that was named is free, the usual way is to say.
    mayAsk: ({ route }, { ifNoneMatch }) => route?.isDirect === true && ifNoneMatch === undefined,

    ask({ target, question }, { asker, keyId, deadline }) {
      const { route } = question;
      if (!route) return { status: PROBLEMS.unknown_route.status, ready: null };
      const outcome = askRoute(target, question, route, { keyId, deadline, headers: {}, address: () => '' });
      return after(outcome, (made): Soon<Made> => {
        if (!('bytes' in made)) return { status: statusOf(made), ready: null };
        const form = passingForm(made, route, encodingFor(made, asker.accepted));
        return after(form, (one) => ({
          status: 200,
          ready: { rendering: made, form: one, isFree: false },
        }));
      });
    },
  };
}

function statusOf(outcome: Problem | Redirect): number {
  return 'problem' in outcome ? PROBLEMS[outcome.problem].status : 302;
}
