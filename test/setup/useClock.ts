import { clearClock, installClock } from '../helpers/clock';

afterEach(clearClock);
afterAll(installClock());
