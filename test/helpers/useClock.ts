import { clearClock, installClock } from './clock';

afterEach(clearClock);
afterAll(installClock());
