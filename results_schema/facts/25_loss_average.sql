-- What dynamic precision decides by.

ALTER TABLE trace_step ADD COLUMN ema REAL                  -- of the losses up to this step's, by which dynamic precision decides;
  CHECK (abs(ema) <= 1.7976931348623157e308);               -- NULL: nothing does, or no loss was finite
