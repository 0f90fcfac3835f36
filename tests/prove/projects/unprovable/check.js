'use strict';

// Fails whatever is installed, and names no test.
process.exit(1);
