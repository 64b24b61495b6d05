-- How a background program ended for the first time, where it was let go on.
alter table background_programs add column first_end text;
