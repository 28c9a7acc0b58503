import { clearClock, installClock } from './clock';

installClock();
afterEach(clearClock);
