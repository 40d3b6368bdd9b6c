PRAGMA page_size = 1024;
CREATE TABLE kind(id INTEGER PRIMARY KEY, name TEXT UNIQUE COLLATE NOCASE);
CREATE TABLE item(id INTEGER PRIMARY KEY, kind INT REFERENCES kind ON DELETE CASCADE, name TEXT,
	price REAL CHECK(price >= 0), note TEXT DEFAULT 'none', total AS (price * 1.5) STORED);
CREATE TABLE word(w TEXT PRIMARY KEY, n INT) WITHOUT ROWID;
CREATE TABLE log(what, id);
CREATE INDEX item_kind ON item(kind, price DESC);
CREATE INDEX item_cheap ON item(name) WHERE price < 10;
CREATE INDEX item_expr ON item(length(name));
CREATE TRIGGER added AFTER INSERT ON item WHEN new.id % 7 = 0 BEGIN
	INSERT INTO log VALUES('added', new.id);
END;
CREATE TRIGGER changed BEFORE UPDATE OF price ON item BEGIN
	INSERT INTO log SELECT 'changed', old.id WHERE new.price > old.price;
END;
CREATE VIEW dear AS SELECT i.id, k.name AS kind, i.price FROM item i JOIN kind k ON k.id = i.kind
	WHERE price > 50;
CREATE TRIGGER dear_gone INSTEAD OF DELETE ON dear BEGIN
	DELETE FROM item WHERE id = old.id;
END;
PRAGMA foreign_keys = on;
BEGIN;
WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 20)
	INSERT INTO kind SELECT n, 'kind ' || n FROM c;
WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 3000)
	INSERT INTO item(id, kind, name, price) SELECT n, 1 + n % 20, printf('item %05d', n * 7919 % 3001),
	(n * 31 % 1000) / 10.0 FROM c;
WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 900)
	INSERT OR REPLACE INTO word SELECT hex(n * 2654435761 % 511), n FROM c;
COMMIT;
ANALYZE;
SAVEPOINT a; UPDATE item SET price = price + 1 WHERE kind IN (3, 5, 7); ROLLBACK TO a;
UPDATE item SET price = price * 0.9, note = upper(name) WHERE id BETWEEN 100 AND 300; RELEASE a;
DELETE FROM dear WHERE id < 50;
INSERT INTO word VALUES('x', 1) ON CONFLICT(w) DO UPDATE SET n = n + 1 RETURNING w, n;
INSERT INTO kind VALUES(1, 'twice');
SELECT k.name, count(*), sum(price), avg(price), group_concat(i.id) FROM kind k LEFT JOIN item i
	ON i.kind = k.id AND i.price < 20 GROUP BY k.id HAVING count(*) > 3 ORDER BY 3 DESC LIMIT 7;
SELECT id, rank() OVER w, sum(price) OVER (ORDER BY id ROWS BETWEEN 3 PRECEDING AND 1 FOLLOWING),
	lag(name, 2, '-') OVER w, ntile(4) OVER w, first_value(id) OVER w FROM item WHERE id < 60
	WINDOW w AS (PARTITION BY kind ORDER BY price);
SELECT DISTINCT a.kind FROM item a, item b WHERE a.price = b.price AND a.id < b.id LIMIT 30;
SELECT name FROM kind EXCEPT SELECT kind FROM dear UNION SELECT w FROM word WHERE n % 3 = 0
	INTERSECT SELECT w FROM word ORDER BY 1;
SELECT * FROM item WHERE name LIKE '%17_' OR name GLOB '*9[0-3]' OR kind IS NULL ORDER BY name LIMIT 9;
SELECT (SELECT max(price) FROM item WHERE kind = k.id), EXISTS(SELECT 1 FROM item WHERE kind = k.id
	AND price > 99), CASE k.id WHEN 1 THEN 'one' ELSE k.name END FROM kind k;
SELECT * FROM kind k FULL OUTER JOIN word w ON w.n = k.id WHERE k.id < 9 OR w.n < 12 ORDER BY 1, 3;
EXPLAIN QUERY PLAN SELECT * FROM item NATURAL JOIN kind WHERE id > 3 AND name < 'k';
EXPLAIN SELECT count(*) FROM item WHERE id % 2;
SELECT date('2020-02-29', '+1 year', 'start of month', '-1 day', 'weekday 3'), julianday('2000-01-01'),
	strftime('%Y %j %W %f %s', '2012-12-12 12:12:12.345'), time(0.25), datetime(86400, 'unixepoch');
SELECT abs(-3), round(2.567, 2), substr('hello', -3, 2), replace('aXbX', 'X', '--'), trim('  x '),
	instr('abc', 'c'), quote(x'0102ff'), typeof(1.0), coalesce(NULL, 2), nullif(1, 1), char(65, 8364),
	unicode('é'), hex('abc'), ltrim('xxy', 'x'), likely(1), iif(1, 2, 3), sign(-2), zeroblob(3),
	printf('%08.3f|%-6s|%+d|%x|%e|%,d|%q|%c', 3.14159, 'ab', 5, 255, 12345.678, 1234567, 'it''s', 'z');
SELECT 1 + '2' * 3.5, 7 / 2, 7 % 3, 1 << 5, ~6, 5 & 3 | 8, 9223372036854775807 + 1, 1e308 * 10,
	'a' || 1, NOT 3, 3 BETWEEN 1 AND 5, CAST('12x' AS INT), CAST(3.9 AS TEXT), x'41' = 'A';
SELECT json_extract('{"a":[1,2,{"b":"x\u0041"}],"c":null}', '$.a[2].b', '$.c'), json_array(1, 'x', 2.5),
	json_object('k', json('[1]')), json_set('{"a":1}', '$.b[0]', 3), json_remove('[1,2,3]', '$[1]'),
	json_type('[1.5]', '$[0]'), json_valid('{x'), json_patch('{"a":1}', '{"a":null,"b":2}'),
	'{"a":{"b":7}}' -> 'a' ->> 'b';
SELECT key, value, fullkey FROM json_tree('{"a":[1,{"b":[true,null,"x"]}],"c":1.5}') ORDER BY fullkey;
SELECT json_group_array(id), json_group_object(name, id) FROM kind WHERE id < 5;
CREATE VIRTUAL TABLE doc USING fts5(title, body, tokenize = 'porter unicode61', prefix = '2 3');
INSERT INTO doc SELECT name, replace(name, 'item', 'running things') || ' of kind ' || kind || ' '
	|| coalesce(note, '') FROM item WHERE id <= 700;
SELECT rowid, highlight(doc, 0, '<', '>'), snippet(doc, 1, '[', ']', '..', 4), bm25(doc) FROM doc
	WHERE doc MATCH 'run* AND thing NOT 00012' ORDER BY rank LIMIT 8;
SELECT count(*) FROM doc WHERE doc MATCH 'body : "of kind" + 1' OR doc MATCH 'NEAR(thing kind, 4)';
DELETE FROM doc WHERE rowid % 3 = 0;
INSERT INTO doc(doc) VALUES('optimize');
INSERT INTO doc(doc) VALUES('integrity-check');
CREATE VIRTUAL TABLE box USING rtree(id, x0, x1, y0, y1);
INSERT INTO box SELECT id, id * 37 % 500, id * 37 % 500 + 5, id * 91 % 300, id * 91 % 300 + id % 9
	FROM item WHERE id < 1200;
SELECT count(*), sum(id) FROM box WHERE x0 > 100 AND x1 < 200 AND y0 BETWEEN 10 AND 90;
DELETE FROM box WHERE id % 2;
UPDATE box SET x1 = x1 + 1 WHERE id < 200;
ALTER TABLE log RENAME TO journal;
ALTER TABLE journal ADD COLUMN at INT DEFAULT 0;
ALTER TABLE journal RENAME COLUMN what TO deed;
ALTER TABLE journal DROP COLUMN at;
SELECT deed, count(*) FROM journal GROUP BY deed;
PRAGMA table_info(item);
PRAGMA index_list(item);
PRAGMA foreign_key_check;
PRAGMA journal_mode = wal;
UPDATE word SET n = n + 1;
PRAGMA wal_checkpoint(truncate);
PRAGMA journal_mode = delete;
PRAGMA auto_vacuum = incremental;
VACUUM;
DELETE FROM kind WHERE id > 15;
PRAGMA incremental_vacuum(10);
REINDEX;
ATTACH ':memory:' AS other;
CREATE TABLE other.copy AS SELECT * FROM item ORDER BY price, id LIMIT 500;
SELECT count(*), min(price), max(name) FROM other.copy WHERE rowid IN (SELECT id FROM item);
CREATE TEMP TABLE big AS WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 9000)
	SELECT n, n * 7919 % 9001 AS r, printf('%.300c', 'x') AS pad FROM c;
SELECT n, r FROM big ORDER BY r DESC, n LIMIT 3;
SELECT count(DISTINCT r % 100), total(r) FROM big WHERE r > ALL_OF;
SELECT * FROM no_such_table;
SELEC 1;
.show
.stats off
.parameter init
.parameter set $x 5
SELECT $x + 1;
.selftest --init
.sha3sum
.changes on
UPDATE word SET n = 0 WHERE n < 10;
.timer off
.width 4 10 6
.explain on
.eqp full
SELECT i.name FROM item i WHERE i.kind = 3 AND i.price > 20 OR i.id = 4 LIMIT 2;
