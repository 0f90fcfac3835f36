export function area(width: number, height: number): number;
