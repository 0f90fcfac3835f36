export function area(width: bigint, height: bigint): bigint;
