import { startProjector } from '../../compose/projector.ts';
import { command } from '../command.ts';
import { ACCEPT_GAP, checkLanes, flag } from '../options.ts';
import { asService, runUntilStopped } from '../service.ts';

export const project = command({
  takes: {
    acceptGap: ACCEPT_GAP,
    json: flag('for scripts: one line once it projects; its log is JSON in any case'),
  },
  run: ({ acceptGap: acceptGaps, json }) =>
    asService(
      'project',
      async (service) => {
        const { parts, signal, starting, stack, checks } = service;
        const projector = stack.use(await startProjector(parts, { acceptGaps, wait: starting.wait, signal }));
        checks['projector'] = () => projector.health();
        const words = { doing: 'Projecting', last: 'the batches in hand are finished' };
        await runUntilStopped(service, { json, ...words });
      },
      (parts) => checkLanes(parts, acceptGaps),
    ),
});
