import { command } from '../../command.ts';
import { flag } from '../../options.ts';
import { asService, runUntilStopped } from '../../service.ts';

export const serve = command({
  takes: { json: flag('for scripts: one line once it serves; its log is JSON in any case') },
  help: '\nExample:\n  PORT=8090 npm run -s catalog -- accounts serve',
  run: ({ json }) =>
    asService('accounts', async (service) => {
      const { serveAccounts } = await import('../../../compose/accounts.ts');
      const { url, checks } = service.stack.use(await serveAccounts(service.parts, service.starting.wait));
      Object.assign(service.checks, checks);
      const words = { doing: `Serving accounts at ${url}`, last: 'the requests in hand are answered' };
      await runUntilStopped(service, { url, json, ...words });
    }),
});
