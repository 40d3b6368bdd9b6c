-- What is wrong with the pairs of stored arcs, one line each: both have the same ends, by their names,
-- and a pair has as many arcs as it says.
CREATE TEMP VIEW call AS
SELECT c.*, things, coalesce(caller.name, c.procedure_name, '-') || '>' ||
  coalesce(callee.name, c.callee_name, '-') AS ends
FROM comparison c JOIN metric m ON m.id = metric
LEFT JOIN procedure caller ON caller.id = c.procedure
LEFT JOIN procedure callee ON callee.id = c.callee
WHERE things IN ('arc', 'pair');
SELECT 'no pair', id FROM call WHERE things = 'arc' AND pair IS NULL OR things = 'pair' AND arcs IS NULL;
SELECT 'another', a.ends, p.ends FROM call a LEFT JOIN call p ON p.id = a.pair
WHERE a.things = 'arc' AND (p.ends IS NOT a.ends OR p.things IS NOT 'pair');
SELECT 'number', ends, arcs FROM call p
WHERE things = 'pair' AND arcs <> (SELECT count(*) FROM call a WHERE a.pair = p.id);
