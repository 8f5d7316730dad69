// A number with its noun: "1 record", "2 records".

export const counted = (value: number, one: string, many = `${one}s`): string => `${value} ${value === 1 ? one : many}`;
