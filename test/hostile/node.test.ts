import { runNode } from '../helpers/n8n/engine';
import { runNodeCase } from './nodeCase';
import { faultyNodes } from './plants';
import { useCases } from './useCases';

useCases('node', 0.7, runNodeCase, runNode, faultyNodes);
