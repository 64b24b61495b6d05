-- JSON of the rights that a background program was begun with. What it returned is shown only to callers who still have them all. Null: not known.
alter table background_programs add column rights text;
