import { modeOn } from '../support/mode.ts';
import { severalDeployments } from './several-deployments.ts';

/** Documents and search in files, the log in Kafka. */
severalDeployments(modeOn('kafka'));
