import { faultyTriggers } from './plants';
import { pollOf, runTriggerCase } from './triggerCase';
import { useCases } from './useCases';

useCases('trigger', 0.3, runTriggerCase, pollOf, faultyTriggers);
