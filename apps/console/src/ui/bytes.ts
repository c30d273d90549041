const UNITS = ["B", "KB", "MB", "GB"] as const;

/** Returns a size in units of 1024, with three digits at most. */
export const bytes = (size: number): string => {
  const unit = Math.min(UNITS.length - 1, size < 1 ? 0 : Math.floor(Math.log2(size) / 10));
  const value = size / 1024 ** unit;
  return `${value < 10 && unit > 0 ? value.toFixed(1) : Math.round(value)} ${UNITS[unit]}`;
};
