-- The sums of the counts that the batches of a background program returned, as JSON by name.
alter table background_programs add column value_sums text;
