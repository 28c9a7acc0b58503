import { clearClock, installClock } from '../helpers/n8n/clock';

afterEach(clearClock);
afterAll(installClock());
