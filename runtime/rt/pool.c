#include "runtime/rt/pool.h"

#include <pthread.h>
#include <signal.h>

typedef struct Job Job;
struct Job { /* on the stack of who asked */
    RtPoolTask task;
    void *user;
    int most, begun, running;
    Job *next;
};

struct RtPool {
    Memory *memory;
    int wanted;           /* threads besides the caller */
    pthread_mutex_t lock; /* of everything below, and of jobs */
    pthread_cond_t wake, ended;
    Job *jobs; /* that more threads may join */
    bool asked, quit;
    int made;
    pthread_t threads[];
};

static size_t size_of(int wanted) {
    return sizeof(RtPool) + sizeof(pthread_t) * (size_t)wanted;
}

RtPool *rt_pool_create(Memory *memory, int threads) {
    int wanted = threads > 1 ? threads - 1 : 0;
    RtPool *pool = memory_resize(memory, NULL, 0, size_of(wanted));
    *pool = (RtPool){.memory = memory, .wanted = wanted};
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->wake, NULL);
    pthread_cond_init(&pool->ended, NULL);
    return pool;
}

static Job *open_job(const RtPool *pool) {
    Job *job = pool->jobs;
    while (job && job->begun == job->most)
        job = job->next;
    return job;
}

static void *serve(void *user) {
    RtPool *pool = user;
    pthread_mutex_lock(&pool->lock);
    while (!pool->quit) {
        Job *job = open_job(pool);
        if (job == NULL) {
            pthread_cond_wait(&pool->wake, &pool->lock);
            continue;
        }
        int number = job->begun++;
        job->running++;
        pthread_mutex_unlock(&pool->lock);
        job->task(job->user, number);
        pthread_mutex_lock(&pool->lock);
        if (--job->running == 0) pthread_cond_broadcast(&pool->ended);
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

/* Under the lock, once. They leave signals to the host's own threads. */
static void make_threads(RtPool *pool) {
    sigset_t all, before;
    pool->asked = true;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    while (pool->made < pool->wanted &&
           pthread_create(&pool->threads[pool->made], NULL, serve, pool) == 0)
        pool->made++;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void remove_job(RtPool *pool, const Job *job) {
    Job **at = &pool->jobs;
    while (*at != job)
        at = &(*at)->next;
    *at = job->next;
}

void rt_pool_run(RtPool *pool, int most, RtPoolTask task, void *user) {
    Job job = {.task = task, .user = user, .most = most, .begun = 1};
    pthread_mutex_lock(&pool->lock);
    if (!pool->asked) make_threads(pool);
    job.next = pool->jobs;
    pool->jobs = &job;
    if (pool->made && most > 1) pthread_cond_broadcast(&pool->wake);
    pthread_mutex_unlock(&pool->lock);
    task(user, 0);
    pthread_mutex_lock(&pool->lock);
    remove_job(pool, &job);
    while (job.running)
        pthread_cond_wait(&pool->ended, &pool->lock);
    pthread_mutex_unlock(&pool->lock);
}

void rt_pool_destroy(RtPool *pool) {
    if (pool == NULL) return;
    pthread_mutex_lock(&pool->lock);
    pool->quit = true;
    pthread_cond_broadcast(&pool->wake);
    pthread_mutex_unlock(&pool->lock);
    for (int i = 0; i < pool->made; i++)
        pthread_join(pool->threads[i], NULL);
    pthread_cond_destroy(&pool->ended);
    pthread_cond_destroy(&pool->wake);
    pthread_mutex_destroy(&pool->lock);
    memory_resize(pool->memory, pool, size_of(pool->wanted), 0);
}
