import { startProjector } from '../../compose/projector.ts';
import { ACCEPT_GAP } from '../accept-gap-option.ts';
import { command } from '../command.ts';
import { asService, runUntilStopped, type Service } from '../service.ts';

export const project = command({
  takes: { acceptGap: ACCEPT_GAP },
  run: ({ acceptGap: acceptGaps, json }) => {
    const run = async (service: Service): Promise<void> => {
      const { parts, signal, starting, stack, checks } = service;
      const projector = stack.use(await startProjector(parts, { acceptGaps, wait: starting.wait, signal }));
      checks['projector'] = () => projector.health();
      const words = { doing: 'Projecting', last: 'the batches in hand are finished' };
      await runUntilStopped(service, { json, ...words });
    };
    return asService('project', run, acceptGaps);
  },
});
