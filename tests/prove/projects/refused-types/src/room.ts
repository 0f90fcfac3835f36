import { area } from '@proof/shape';

export const floor: number = area(3, 4);
